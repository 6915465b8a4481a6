import { setTimeout as after } from 'node:timers/promises'

/** What Prometheus answers: the result of a query, or why it could not be run. */
type Answer = { status: 'success'; data: { result: unknown[] } } | { status: 'error'; error: string }
type Rules = { data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] } }

/** The API of a Prometheus on this machine. */
export const askPrometheus = (port: number, signal: AbortSignal) => {
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { signal })).json()
  const query = async (expression: string): Promise<Answer> =>
    asAnswer(await get(`/api/v1/query?query=${encodeURIComponent(expression)}`))
  return {
    query,
    /** Waits until the expression has a result. It may not be ready to answer yet. */
    async until(expression: string): Promise<void> {
      for (let attempt = 0; attempt < 300; attempt += 1) {
        const answer = await query(expression).catch(() => null)
        if (answer?.status === 'success' && answer.data.result.length > 0) return
        await after(200, undefined, { signal })
      }
      throw new Error(`Prometheus has no result for ${expression}`)
    },
    /** Those that it could not evaluate, with the reason. */
    async brokenRules(): Promise<string[]> {
      const { data } = asRules(await get('/api/v1/rules'))
      return data.groups
        .flatMap(({ rules }) => rules)
        .filter(({ health }) => health === 'err')
        .map(({ name, lastError }) => `${name}: ${lastError}`)
    },
  }
}

/** As its API is documented. */
const asAnswer = (value: unknown): Answer => value as Answer
const asRules = (value: unknown): Rules => value as Rules
