/** Queries and documents to score: each document with the query at its position, or all of them with the only query. */
export type ScoredPairs = {
  queries: readonly string[]
  documents: readonly string[]
  /** Longer documents are cut to this many tokens; null: they are not. */
  maxDocumentTokens: number | null
  /**
   * Documents are cut so that a pair has at most this many tokens, and fits the context; -1: only so that it fits the context;
   * null: a pair that does not fit is refused.
   */
  maxPairTokens: number | null
  /** What the request calls them, for errors. */
  names: { queries: string; documents: string }
}
