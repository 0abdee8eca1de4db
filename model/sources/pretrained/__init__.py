"""The source that runs other people's checkpoints, through Transformers (extra `pretrained`)."""
