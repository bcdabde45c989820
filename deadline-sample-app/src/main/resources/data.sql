insert into purchase values
  ('bob', 'Lantern'), ('bob', 'Tent'), ('eve', 'Tent'), ('eve', 'Kettle'), ('ada', 'Map'), ('joe', 'Tent'), ('joe', 'Kettle');
