import type { Rule } from '../violation.ts'

/**
 * The prompt counts once, whatever the number of choices: with the engine's count, or with a marked estimate if the
 * engine had not reported one. It does not count before the engine has accepted it.
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
