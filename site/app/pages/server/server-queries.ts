import type { ConfigurationShown, EngineShown } from '../../../../src/platform/contract/server.ts'
import { platformQuery } from '../../platform-query.ts'

export const engineQuery = { ...platformQuery<EngineShown>(['engine'], '/admin/engine'), refetchInterval: 3_000 }

/** It does not change while the server runs. */
export const configurationQuery = platformQuery<ConfigurationShown>(['configuration'], '/admin/configuration')
