"""How the shipped model was made. Imports go one way: grammar, evaluation, gallery, recipe."""
