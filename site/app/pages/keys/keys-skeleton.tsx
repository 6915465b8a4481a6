import { useWords } from '../../words-context.tsx'

const rows = ['w-7/12', 'w-9/12', 'w-6/12']

/** The filter and the table in grey, with the same heights, so that nothing moves when the keys come. */
export const KeysSkeleton = () => {
  const { shell } = useWords()
  return (
    <div role="status" aria-label={shell.loading}>
      <div className="keys-filter">
        <div className="search">
          <div className="bone bar" />
        </div>
      </div>
      <div className="keys-bones">
        {rows.map((width) => (
          <div key={width}>
            <div className={`bone ${width}`} />
          </div>
        ))}
      </div>
    </div>
  )
}
