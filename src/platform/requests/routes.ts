import { abilities } from '../../accounts/roles.ts'
import type { Route } from '../../http/route.ts'
import type { LedgerRecords } from '../../store/ledger-contract.ts'
import { needs } from '../needs.ts'
import { createFollowRequests, type FollowRooms } from './follow-requests.ts'
import { createListRequests, createShowRequest } from './list-requests.ts'

const all = '/platform/requests'

type Rooms = FollowRooms & { ledger: LedgerRecords }

/** What was asked of the model, by whichever key, as the ledger has it: no text of it. */
export const createRequestRoutes = (rooms: Rooms): Route[] => [
  { method: 'GET', path: all, ...needs(abilities.see), handle: createListRequests(rooms.ledger) },
  // Before the one that takes any name.
  { method: 'GET', path: `${all}/events`, ...needs(abilities.see), handle: createFollowRequests(rooms) },
  { method: 'GET', path: `${all}/{request}`, ...needs(abilities.see), handle: createShowRequest(rooms.ledger) },
]
