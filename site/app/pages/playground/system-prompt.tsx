import { useWords } from '../../words-context.tsx'
import { usePlayground, usePlaygroundParts } from './use-playground.ts'

/** Always open for writing: it looks like a turn and is sent before all of them. */
export const SystemPrompt = () => {
  const { playground } = useWords()
  const { system } = usePlayground()
  const { store } = usePlaygroundParts()
  return (
    <div className="exchange system">
      <h2 className="who" id="system-prompt">
        {playground.system}
      </h2>
      <div className="turn stack">
        <textarea
          className="borderless-input"
          rows={1}
          aria-labelledby="system-prompt"
          placeholder={playground.systemHint}
          value={system}
          onChange={(event) => store.change({ system: event.target.value })}
        />
      </div>
    </div>
  )
}
