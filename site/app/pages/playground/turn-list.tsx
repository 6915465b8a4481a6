import { AnswerTurnView } from './answer-turn.tsx'
import { SentTurnView } from './sent-turn.tsx'
import type { Turn } from './turns.ts'
import { placeOf } from './versions.ts'

type TurnListProps = { turns: readonly Turn[]; model: string; isBusy: boolean }

/** The conversation so far. */
export const TurnList = ({ turns, model, isBusy }: TurnListProps) =>
  turns.map((turn, index) =>
    turn.kind === 'sent' ? (
      <SentTurnView key={placeOf(turn)} turn={turn} model={model} isBusy={isBusy} />
    ) : (
      <AnswerTurnView
        key={placeOf(turn)}
        turn={turn}
        model={model}
        isBusy={isBusy}
        isLast={index === turns.length - 1}
      />
    ),
  )
