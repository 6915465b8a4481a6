/** Values by the names that a prompt has in double braces: `{{city}}`. */
export type PromptVariables = Readonly<Record<string, string>>

/** Further sets of values, in the order of the table: those before and those after the one that is used. */
export type OtherRows = Readonly<Record<'before' | 'after', readonly PromptVariables[]>>
export const noOtherRows: OtherRows = { before: [], after: [] }

/** They are sent one after the other. */
export const maxRows = 20

const variable = /\{\{\s*([\p{L}\p{N}_.-]{1,64})\s*\}\}/gu

/** A prompt may have been pasted from anywhere. */
const maxVariables = 200

/** The names in these texts, each once, in the order in which they come. */
export const variableNames = (texts: readonly string[]): readonly string[] => {
  const names = new Set<string>()
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(variable)) {
      if (names.size >= maxVariables) return [...names]
      names.add(name)
    }
  }
  return [...names]
}

/** A variable without a value stays as it is: it may be meant literally. Values are not searched for further variables. */
export const fillVariables = (text: string, values: PromptVariables): string =>
  text.replace(variable, (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : '') || whole)
