-- Why a version of the plan was proposed: the operator who approves it reads that.
ALTER TABLE plan_proposal ADD COLUMN reason TEXT NOT NULL DEFAULT '';
