import type { Rule } from '../violation.ts'

/** A request settled before a server died keeps that settlement through all later kills. */
export const nothingLost: Rule = ({ journals, ledger }) => {
  const settled = new Map(ledger.records.map(({ requestId, settlements }) => [requestId, settlements[0]]))
  return journals.settledAtDeaths.flatMap(([requestId, ...counts]) => {
    const now = settled.get(requestId)
    if (now === undefined) return [{ rule: 'nothing lost', detail: `${requestId} was settled at a kill, and is gone` }]
    const left = [now.promptTokens, now.cachedTokens, now.completionTokens, now.reasoningTokens]
    return left.join('/') === counts.join('/')
      ? []
      : [
          {
            rule: 'nothing lost',
            detail: `${requestId} was settled at ${counts.join('/')}, and is now ${left.join('/')}`,
          },
        ]
  })
}
