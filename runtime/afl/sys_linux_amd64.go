package afl

const sysMemfdCreate = 319
