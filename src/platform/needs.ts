import type { Role } from '../store/team-contract.ts'

/** Who may call a route that is about an organisation: a row of the table of roles. */
export const needs = ({ least }: { least: Role }): { access: 'session'; role: Role } => ({
  access: 'session',
  role: least,
})
