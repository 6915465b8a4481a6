import type { Config } from '../config/settings.ts'
import type { Terminal } from './command.ts'
import { errorMessage, findServer } from './control-access.ts'
import { readText, send } from './http-client.ts'

/** Makes a running server read the list of models again. It may be of an older version that cannot. */
export const applyModels = async (config: Config, terminal: Terminal): Promise<void> => {
  const endpoint = await findServer(config)
  if (endpoint === null) return
  const response = await send(endpoint, { method: 'POST', path: '/control/models/reload' })
  const text = await readText(response)
  const status = response.statusCode ?? 500
  if (status === 404) terminal.err('Restart the server to apply the change.\n')
  else if (status >= 400) terminal.err(`The running server did not apply the change: ${errorMessage(parse(text))}\n`)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
