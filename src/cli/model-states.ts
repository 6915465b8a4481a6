import { RefusedByServer, throughServer } from './control-access.ts'
import type { Endpoint } from './http-client.ts'

/** The state of each model in a running server, by name. Empty if there is none, or if it is too old to say. */
export const readModelStates = async (endpoint: Endpoint | null): Promise<ReadonlyMap<string, string>> => {
  if (endpoint === null) return new Map()
  try {
    const { data } = await throughServer(endpoint).listModels()
    return new Map(data.map(({ id, state }) => [id, state]))
  } catch (error) {
    if (error instanceof RefusedByServer) return new Map()
    throw error
  }
}
