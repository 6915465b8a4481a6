/** What a list that is fetched by pages begins with; the pages after it have the cursor of the one before. */
export const firstPage = (): string | null => null
