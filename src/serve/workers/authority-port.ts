import type { TurnPort } from '../../base/turn-port.ts'
import type { AuthorityCalls, AuthorityNotes } from './protocol.ts'

/** The way from a worker to its authority. */
export type AuthorityPort = TurnPort<AuthorityCalls, AuthorityNotes>
