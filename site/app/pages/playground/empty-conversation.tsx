import { Empty } from '../../components/empty.tsx'
import { useWords } from '../../words-context.tsx'
import { changePlayground } from './playground-store.ts'

/** An empty conversation: example prompts, which are put into the composer. */
export const EmptyConversation = ({ model, onChosen }: { model: string; onChosen(): void }) => {
  const { playground } = useWords()
  const choose = (draft: string): void => {
    changePlayground({ draft })
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
