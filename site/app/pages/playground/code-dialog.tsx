import { Link } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { CodeTabs } from '../../components/code-tabs.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { buildRequest } from './build-request.ts'
import { checkSettings } from './check-settings.ts'
import { requestCode } from './request-code.ts'
import type { Turn } from './turns.ts'
import { usePlayground } from './use-playground.ts'

/** The next request as a program: with what is still in the composer, or else with the last message that was sent. */
export const CodeDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) => {
  const { playground, shell } = useWords()
  const { system, draft, turns, settings } = usePlayground()
  const { model, baseUrl } = useSession()
  const { options } = checkSettings(settings)
  const request = buildRequest({ model, system, turns: shownTurns(turns, draft), options })
  return (
    <Dialog isOpen={isOpen} title={playground.code.title} onClose={onClose} wide>
      <p>{playground.code.text}</p>
      <CodeTabs tabs={requestCode(request, baseUrl)} label={playground.code.label} />
      <div className="acts">
        <Link className="btn" to="/keys">
          {playground.code.getKey}
        </Link>
        <Button onClick={onClose}>{shell.close}</Button>
      </div>
    </Dialog>
  )
}

const shownTurns = (turns: readonly Turn[], draft: string): readonly Turn[] => {
  if (draft.trim() !== '') return [...turns, { kind: 'sent', id: 'draft', text: draft.trim() }]
  const last = turns.at(-1)
  return last?.kind === 'answer' && last.calls.length === 0 ? turns.slice(0, -1) : turns
}
