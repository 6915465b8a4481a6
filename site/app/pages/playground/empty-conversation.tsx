import { Empty } from '../../components/empty.tsx'
import { useWords } from '../../words-context.tsx'
import { usePlaygroundParts } from './use-playground.ts'

/** An empty conversation: example prompts, which are put into the composer. */
export const EmptyConversation = ({ model, onChosen }: { model: string; onChosen(): void }) => {
  const { playground } = useWords()
  const { store } = usePlaygroundParts()
  const choose = (draft: string): void => {
    store.change({ draft })
    onChosen()
  }
  const examples = (
    <ul className="examples">
      {Object.values(playground.examples).map((example) => (
        <li key={example}>
          <button type="button" className="link" onClick={() => choose(example)}>
            {example}
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <Empty title={playground.emptyTitle(model)} action={examples}>
      {playground.emptyText}
    </Empty>
  )
}
