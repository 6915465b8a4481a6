import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask, type PeriodicTask } from '../base/periodic-task.ts'
import type { AccountRecords } from '../store/account-contract.ts'

type ExpireDependencies = { records: Pick<AccountRecords, 'removeExpired'>; clock: Clock; log: Log }

const hourMs = 3_600_000
/** Deleting in batches lets other work use the store in between. */
const batchRows = 200

/** Deletes expired sessions, links, challenges and invitations at startup and then hourly: they contain addresses. */
export const expireAccessHourly = ({ records, clock, log }: ExpireDependencies): PeriodicTask =>
  openPeriodicTask(
    async (isClosed) => {
      try {
        while (!isClosed() && (await records.removeExpired(clock.now(), batchRows)) > 0);
      } catch (error) {
        log.warn('access_not_expired', { cause: errorText(error) })
      }
    },
    clock,
    hourMs,
  )
