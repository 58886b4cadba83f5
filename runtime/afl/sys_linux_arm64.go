package afl

const sysMemfdCreate = 279
