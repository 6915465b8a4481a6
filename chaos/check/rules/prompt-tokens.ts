import type { Rule } from '../violation.ts'

/** The prompt counts once, whatever the number of choices, and not before the engine has told how long it is. */
export const promptTokens: Rule = ({ cases }) =>
  cases.flatMap(({ asked, records }) =>
    records.flatMap(({ requestId, settlements }) =>
      settlements
        .filter(
          (settled) =>
            ![0, asked.promptTokens].includes(settled.promptTokens) || settled.cachedTokens > asked.cachedTokens,
        )
        .map((settled) => ({
          rule: 'prompt',
          detail: `${requestId}: billed a prompt of ${settled.promptTokens} tokens (${settled.cachedTokens} cached), and it had ${asked.promptTokens} (${asked.cachedTokens})`,
        })),
    ),
  )
