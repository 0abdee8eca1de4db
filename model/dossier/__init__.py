"""A dossier: what every head of a model does over many texts, with intervals and examples."""

from model.dossier.document import load_dossier, save_dossier
from model.dossier.measures import MEASURES, Measure
from model.dossier.run import Settings, make_dossier
from model.dossier.texts import Corpus, everyday_corpus, own_corpus, read_corpus

__all__ = [
    "MEASURES",
    "Corpus",
    "Measure",
    "Settings",
    "everyday_corpus",
    "load_dossier",
    "make_dossier",
    "own_corpus",
    "read_corpus",
    "save_dossier",
]
