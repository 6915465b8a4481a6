import { abilities } from '../../accounts/teams/roles.ts'
import type { Route } from '../../http/route.ts'
import type { RequestLogRecords } from '../../store/request-log-contract.ts'
import { needs } from '../needs.ts'
import { type BodyRooms, createSetBodyDays, createShowBodies, createShowBodyDays } from './bodies.ts'
import { createFollowRequests, type FollowRooms } from './follow-requests.ts'
import { createListRequests, createShowRequest } from './list-requests.ts'

const all = '/platform/requests'
const kept = '/platform/organisation/bodies'

type Rooms = FollowRooms & BodyRooms & { requestLog: RequestLogRecords }

/** What was asked of the model, by whichever key, and what was refused; and the text of it, where that is kept. */
export const createRequestRoutes = (rooms: Rooms): Route[] => [
  { method: 'GET', path: all, ...needs(abilities.see), handle: createListRequests(rooms.requestLog) },
  // Before the one that takes any name.
  { method: 'GET', path: `${all}/events`, ...needs(abilities.see), handle: createFollowRequests(rooms) },
  { method: 'GET', path: `${all}/{request}`, ...needs(abilities.see), handle: createShowRequest(rooms.requestLog) },
  { method: 'GET', path: `${all}/{request}/bodies`, ...needs(abilities.readBodies), handle: createShowBodies(rooms) },
  { method: 'GET', path: kept, ...needs(abilities.see), handle: createShowBodyDays(rooms) },
  { method: 'POST', path: kept, ...needs(abilities.changeOrganisation), handle: createSetBodyDays(rooms) },
]
