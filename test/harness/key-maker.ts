import type { Helix } from './start-helix.ts'

type MadeKey = { id: string; key: string; organisation_id: string }

/** Creates keys of any kind, as the command line does, each with a function that calls the API. */
export const createKeyMaker =
  (helix: Pick<Helix, 'control' | 'url'>) =>
  async (wanted: Record<string, unknown> = {}) => {
    const made = (await helix.control('POST', '/control/keys', { name: 'test', ...wanted })) as MadeKey
    const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(helix.url + path, {
        method,
        headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    return { ...made, call }
  }
