import type { Config } from '../config/settings.ts'
import type { Terminal } from './command.ts'
import { findServer, RefusedByServer, throughServer } from './control-access.ts'

/** Makes a running server read the list of models again. It may be of an older version that cannot. */
export const applyModels = async (config: Config, terminal: Terminal): Promise<void> => {
  const endpoint = await findServer(config)
  if (endpoint === null) return
  try {
    await throughServer(endpoint).reloadModels()
  } catch (error) {
    if (!(error instanceof RefusedByServer)) throw error
    if (error.status === 404) terminal.err('Restart the server to apply the change.\n')
    else terminal.err(`The running server did not apply the change: ${error.message}\n`)
  }
}
