/** One part of a page of the documentation, as the search finds it. `names` are the fields, codes and paths in it. */
export type DocsEntry = { page: string; id: string; heading: string; text: string; names: string }
