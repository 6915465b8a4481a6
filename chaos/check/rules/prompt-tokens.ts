import type { Rule } from '../violation.ts'

/**
 * The prompt counts once, whatever the number of choices: as the engine told it, or as an estimate that is marked where it
 * had not come to that. Not before it has taken the prompt.
 */
export const promptTokens: Rule = ({ cases }) =>
  cases.flatMap(({ asked, records }) =>
    records.flatMap(({ requestId, settlements }) =>
      settlements
        .filter(
          (settled) =>
            (settled.isEstimated === 1
              ? settled.outcome === 'completed' || settled.promptTokens === 0
              : ![0, asked.promptTokens].includes(settled.promptTokens)) || settled.cachedTokens > asked.cachedTokens,
        )
        .map((settled) => ({
          rule: 'prompt',
          detail: `${requestId}: billed a prompt of ${settled.promptTokens} tokens (${settled.cachedTokens} cached), and it had ${asked.promptTokens} (${asked.cachedTokens})`,
        })),
    ),
  )
