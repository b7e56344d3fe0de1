// How much of a test runs, like tests/size.h: a few cases in tests/run, and all of them in tests/run --all.
export const isExhaustive = process.env['THALWEG_TESTS'] === 'all';

export const fewOrAll = <T>(few: T, all: T): T => isExhaustive ? all : few;
