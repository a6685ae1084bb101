import type { ComponentType } from 'react'
import type { AdminPath, MemberPath, PublicPath } from './paths.ts'

/** Loads the file of a screen, which exports it as `Component`. */
export type LoadScreen = () => Promise<{ Component: ComponentType }>

/** The export of a feature's `screens.ts`: its addresses and their screens. */
export type Screens = Partial<Record<AdminPath | MemberPath | PublicPath, LoadScreen>>
