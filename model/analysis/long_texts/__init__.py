"""What a long text needs: each reads stripes of rows, and never holds a whole pattern."""
