/** A grammar that no matcher can follow. */
export class GrammarRefused extends Error {}
