-- Who noted a payment is asked when another operator confirms it.
CREATE INDEX operator_act_subject ON operator_act (subject, kind);
