import type { NumberedEvent } from '../store/audit-contract.ts'

/** An audit event for other programs. `id` is the same whenever an event is sent again. */
export const auditLine = ({ sequence, at, organisationId, actor, action, target, details }: NumberedEvent): string =>
  JSON.stringify({
    id: sequence,
    time: new Date(at).toISOString(),
    action,
    organisation_id: organisationId,
    ...{ actor, target, details },
  })
