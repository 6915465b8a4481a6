import { join } from 'node:path'
import { type AuditSink, openAuditExport } from '../accounts/audit-export.ts'
import { createFileSink, createSyslogSink } from '../accounts/audit-sinks.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import type { AuditRecords } from '../store/audit-contract.ts'
import type { Closers } from './closers.ts'

type AuditExportsDependencies = {
  config: Pick<Config, 'auditFile' | 'auditSyslog' | 'dataDir'>
  records: Pick<AuditRecords, 'since'>
  clock: Clock
  log: Log
  closers: Closers
}

/** Copies of the audit log that the settings ask for. */
export const openAuditExports = ({ config, records, clock, log, closers }: AuditExportsDependencies): void => {
  const open = (target: string, sink: AuditSink): void => {
    const positionPath = join(config.dataDir, `audit-${target}-position`)
    const task = openAuditExport({ target, records, sink, positionPath, clock, log })
    closers.add(() => task.close())
  }
  if (config.auditFile !== null) open('file', createFileSink(config.auditFile))
  if (config.auditSyslog !== null) open('syslog', createSyslogSink(config.auditSyslog))
}
