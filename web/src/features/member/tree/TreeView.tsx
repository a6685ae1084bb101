import { Button, Skeleton } from '@mantine/core'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import type { Place } from '@/lib/queries/binaryTree.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { lineTo } from './places.ts'
import { Legend, Toolbar } from './Toolbar.tsx'
import styles from './Tree.module.css'
import { TreePicture } from './TreePicture.tsx'
import { useTree } from './useTree.ts'

/** The member's two legs, fifteen places at a time. */
export function Component() {
  const title = useRouteTitle()
  const tree = useTree()
  const { path, setPath, data: places } = tree
  const centre = (index: number) => {
    // The visible places are old: the next press would start from the wrong centre.
    if (tree.isPlaceholderData) return
    // The path includes every member between the old centre and the new one.
    const between = lineTo(index).slice(1)
    setPath([...path, ...between.map((i) => places?.[i]?.uid ?? '')])
  }
  return (
    <>
      <PageHeader title={title} />
      <Toolbar
        onSearch={tree.find}
        onBack={path.length > 0 ? () => setPath(path.slice(0, -1)) : undefined}
      />
      <Breadcrumbs userId={tree.userId} path={path} onGo={setPath} />
      <Content tree={tree} places={places} onCentre={centre} />
      <Legend userId={tree.userId} />
    </>
  )
}

interface ContentProps {
  tree: ReturnType<typeof useTree>
  places: readonly Place[] | undefined
  onCentre: (index: number) => void
}

function Content({ tree, places, onCentre }: ContentProps) {
  const { tree: t } = useMemberStrings()
  if (tree.error && !places) {
    return <ErrorNotice error={tree.error} text={t.failed} onRetry={() => void tree.refetch()} />
  }
  if (!places) return <Skeleton height={528} />
  if (places.length === 0) {
    return (
      <div className={styles.nobody}>
        <p>{t.notFound}</p>
        <Button variant="default" onClick={() => tree.setPath([])}>
          {t.toSelf}
        </Button>
      </div>
    )
  }
  const awaited = tree.isPlaceholderData ? (tree.path.at(-1) ?? tree.userId) : undefined
  return <TreePicture places={places} awaited={awaited} onCentre={onCentre} />
}

interface BreadcrumbsProps {
  userId: string
  path: readonly string[]
  onGo: (path: readonly string[]) => void
}

/** The path to the centre, each step a link; the first is the member. */
function Breadcrumbs({ userId, path, onGo }: BreadcrumbsProps) {
  const { tree: t } = useMemberStrings()
  const steps = [userId, ...path]
  return (
    <nav aria-label={t.trail} className={styles.trail}>
      <ol>
        {steps.map((id, index) => (
          <li key={steps.slice(0, index + 1).join('.')}>
            {index === steps.length - 1 ? (
              <span aria-current="page">{index === 0 ? t.self({ id }) : id}</span>
            ) : (
              <button type="button" onClick={() => onGo(path.slice(0, index))}>
                {index === 0 ? t.self({ id }) : id}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
