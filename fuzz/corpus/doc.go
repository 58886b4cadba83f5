package corpus
