/** In time proportional to the text: an expression such as `/\/+$/` looks at each run of slashes once for each of them. */
export const withoutTrailingSlashes = (text: string): string => text.replace(/(?<!\/)\/+$/, '')
