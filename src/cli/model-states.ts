import { type Endpoint, readText, send } from './http-client.ts'

/** The state of each model in a running server, by name. Empty if there is none, or if it is too old to say. */
export const readModelStates = async (endpoint: Endpoint | null): Promise<ReadonlyMap<string, string>> => {
  if (endpoint === null) return new Map()
  const response = await send(endpoint, { method: 'GET', path: '/control/models' })
  const text = await readText(response)
  if (response.statusCode !== 200) return new Map()
  const { data }: { data: { id: string; state: string }[] } = JSON.parse(text)
  return new Map(data.map(({ id, state }) => [id, state]))
}
