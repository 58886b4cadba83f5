package args
