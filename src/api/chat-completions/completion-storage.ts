import type { Clock } from '../../base/clock.ts'
import { createFloodTurns } from '../../base/take-turns.ts'
import type { CompletionRecords } from '../../store/contract.ts'
import type { AnswerStorage } from '../generation/dialect.ts'
import type { ReceivedChatRequest } from './request/read-request.ts'
import type { CompletionJson } from './shapes.ts'
import { storedCompletionJson } from './stored-completion-json.ts'

type StorageDependencies = { completions: Pick<CompletionRecords, 'insert'>; clock: Clock }

/** Stores finished completions together with the messages that they answer. */
export const createCompletionStorage = ({
  completions,
  clock,
}: StorageDependencies): AnswerStorage<ReceivedChatRequest, CompletionJson> => ({
  open: ({ storedParts, chat: { metadata } }, { requestId, organisationId }) => ({
    async store(completion) {
      if (storedParts === null) throw new Error('the request did not ask for it when its body was read')
      const { messages, echoes } = storedParts
      const turnAfter = createFloodTurns(organisationId, clock)
      await completions.insert({
        id: completion.id,
        organisationId,
        createdAt: clock.now(),
        model: completion.model,
        metadata,
        completion: await storedCompletionJson({ completion, requestId, echoes, turnAfter }),
        messages,
      })
    },
  }),
})
