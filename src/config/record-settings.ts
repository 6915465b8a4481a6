import { integer, path, type Setting, text } from './setting.ts'
import { syslogUrl } from './url-setting.ts'

/** How long records are kept, where the audit log is sent, and backups. */
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

  backupDir: path({
    default: null,
    text: 'Folder in which the server writes a backup of its SQLite database on a schedule; see docs/operate/backup.md.',
  }),
  backupIntervalHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    text: 'Hours from one backup in `backupDir` to the next.',
  }),
  backupsKept: integer({
    default: 7,
    min: 1,
    max: 10_000,
    text: 'Number of backups kept in `backupDir`. Older ones are deleted when a new one is complete.',
  }),
  backupPassphrase: text({
    default: null,
    secret: true,
    text: 'Passphrase that encrypts the secret key and the settings in backups. Without it, backups do not contain them.',
  }),
} satisfies Record<string, Setting<unknown>>
