/**
 * Modules that share a chunk. By default the bundler makes a chunk of every module that two screens
 * share: the dashboard needed eighty files, and a phone loads six at a time. Each part takes what
 * its modules import, unless an earlier part has it.
 */
export const parts = [
  { name: 'react', tags: ['$initial' as const], test: /node_modules.*js$|rolldown\/runtime/ },
  { name: 'index', tags: ['$initial' as const] },
  { name: 'kit', test: /src\/(app\/kit\/Kit|features\/site\/auth\/(Login|Signup))\.tsx$/ },
  {
    name: 'member',
    test: /src\/(app\/member\/MemberShell|features\/member\/dashboard\/Dashboard|lib\/strings\/member)\.tsx?$/,
  },
  { name: 'lists', test: /src\/components\/table\/ReportScreen\.tsx$/ },
].map((part, index, all) => ({ ...part, priority: all.length - index }))
