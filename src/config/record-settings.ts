import { integer, path, type Setting } from './setting.ts'
import { syslogUrl } from './url-setting.ts'

/** The request log and the audit log: how long they are kept, and where the audit log is sent. */
export const recordSettings = {
  ledgerRetentionDays: integer({
    editedIn: 'retention',
    default: 400,
    min: 32,
    max: 36_500,
    text: 'How long individual requests, including rejected ones, are kept in the request log. Daily totals are kept indefinitely.',
  }),
  ledgerSyncDelayMs: integer({
    default: 0,
    min: 0,
    max: 1000,
    text: 'How long after its end a request may wait to be on the disk of the SQLite database. 0: the end of an answer is sent after that. Otherwise a power failure loses the requests of that time, unbilled; if only the process dies, none. For PostgreSQL, set its own `synchronous_commit`.',
  }),
  auditRetentionDays: integer({
    editedIn: 'retention',
    raisedOnly: true,
    default: 400,
    min: 1,
    max: 36_500,
    text: 'How long events are kept in the audit log. The console can make it longer, not shorter.',
  }),
  auditFile: path({
    default: null,
    text: 'File to which the events of the audit log are appended, one JSON object per line; see docs/operate/logs.md.',
  }),
  auditSyslog: syslogUrl({
    default: null,
    text: 'Syslog server to which the events of the audit log are sent (RFC 5424), for example `tcp://logs.example.com:514`, or `udp://`, which does not notice losses.',
  }),
} satisfies Record<string, Setting<unknown>>
