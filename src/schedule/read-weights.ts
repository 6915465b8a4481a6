/** Parses entries of the setting `organisationWeights`, such as `org_1a2b=2`. The default weight is 1. */
export const readWeights = (entries: readonly string[]): ((organisationId: string) => number) => {
  const weights = new Map<string, number>()
  for (const entry of entries) {
    const [organisationId = '', weight] = entry.split('=')
    weights.set(organisationId, Number(weight))
  }
  return (organisationId) => weights.get(organisationId) ?? 1
}
