import { useWords } from '../../words-context.tsx'
import { changePlayground } from './playground-store.ts'
import { usePlayground } from './use-playground.ts'

/** Always open for writing: it looks like a turn and is sent before all of them. */
export const SystemPrompt = () => {
  const { playground } = useWords()
  const { system } = usePlayground()
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
          onChange={(event) => changePlayground({ system: event.target.value })}
        />
      </div>
    </div>
  )
}
