import type { Clock } from '../../../base/clock.ts'
import { errorText, type Log } from '../../../base/log.ts'
import { openPeriodicTask, type PeriodicTask } from '../../../base/periodic-task.ts'
import type { ResponseRecords } from '../../../store/response-contract.ts'
import { storedSince } from '../stored-since.ts'

type ExpireDependencies = { responses: Pick<ResponseRecords, 'removeExpired'>; clock: Clock; log: Log }

const hourMs = 3_600_000

/** Deletes expired responses at startup and then hourly. */
export const expireHourly = ({ responses, clock, log }: ExpireDependencies): PeriodicTask =>
  openPeriodicTask(
    async (isClosed) => {
      try {
        while (!isClosed() && (await responses.removeExpired(storedSince(clock.now()))) > 0);
      } catch (error) {
        log.error('responses_not_expired', { cause: errorText(error) })
      }
    },
    clock,
    hourMs,
  )
