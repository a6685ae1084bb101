import type { ComponentType } from 'react'
import type { AdminPath, MemberPath, PublicPath } from './paths.ts'

/** The file of a screen exports it as `Component`; it is fetched when somebody goes there. */
export type LoadScreen = () => Promise<{ Component: ComponentType }>

/** What `screens.ts` of a feature exports: which addresses it shows. */
export type Screens = Partial<Record<AdminPath | MemberPath | PublicPath, LoadScreen>>
