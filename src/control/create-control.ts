import type { Suspensions } from '../accounts/suspensions.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { OrganisationRooms } from '../platform/limits/organisation-limits.ts'
import type { Store } from '../store/contract.ts'
import type { Control } from './control.ts'
import { createKeyControl } from './control-keys.ts'
import { createLimitControl } from './control-limits.ts'
import { createSuspensionControl } from './control-suspensions.ts'
import { createUsageControl } from './control-usage.ts'

export type ControlRooms = OrganisationRooms & {
  store: Store
  keys: KeyRegistry
  suspensions: Suspensions
  timeZone: string
}

export const createControl = (rooms: ControlRooms): Control => ({
  ...createKeyControl(rooms.keys),
  ...createLimitControl(rooms),
  ...createSuspensionControl(rooms),
  ...createUsageControl({ ...rooms, usage: rooms.store.usage }),
})
