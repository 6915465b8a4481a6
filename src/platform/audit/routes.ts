import { abilities } from '../../accounts/teams/roles.ts'
import type { Route } from '../../http/route.ts'
import type { AuditRecords } from '../../store/audit-contract.ts'
import { needs } from '../needs.ts'
import { createExportAudit, createExportWholeAudit, createListAudit, createListWholeAudit } from './handler.ts'

const site = '/platform'

export const createAuditRoutes = (audit: AuditRecords): Route[] => [
  { method: 'GET', path: `${site}/audit`, ...needs(abilities.seeAudit), handle: createListAudit(audit) },
  { method: 'GET', path: `${site}/audit.csv`, ...needs(abilities.seeAudit), handle: createExportAudit(audit) },
  { method: 'GET', path: `${site}/admin/audit`, access: 'owner', handle: createListWholeAudit(audit) },
  { method: 'GET', path: `${site}/admin/audit.csv`, access: 'owner', handle: createExportWholeAudit(audit) },
]
